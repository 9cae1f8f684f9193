// The menus of the bar at the top, instead of all of Bootstrap.
for (const button of document.querySelectorAll("[data-bs-toggle=dropdown]")) {
  const menu = button.nextElementSibling;
  const show = (open) => {
    menu.classList.toggle("show", open);
    button.setAttribute("aria-expanded", open);
  };
  button.addEventListener("click", () => show(!menu.matches(".show")));
  const inside = ({ target }) => button.parentElement.contains(target);
  for (const event of ["click", "focusin"]) {
    document.addEventListener(event, (happened) => inside(happened) || show(false));
  }
  button.parentElement.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.matches(".show")) return;
    show(false);
    button.focus();
  });
}
