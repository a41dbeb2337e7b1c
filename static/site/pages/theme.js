// Runs before the first paint, so that a page never flashes in the other theme, nor moves as its rail folds.
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  if (localStorage.getItem("rail") === "narrow") root.dataset.rail = "narrow";
})();
