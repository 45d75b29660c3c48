// Puts the chosen theme on <html> before the first paint, so that a dark page never flashes white.
// It is a file of its own because inline scripts are forbidden by our Content-Security-Policy.
// The key, the class and the colours are those of src/shared/composables/useTheme.ts; a test compares them.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem("tandian.theme");
  } catch (_) {
    // Storage may be blocked: the system's preference decides.
  }
  var dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
  var meta = document.querySelector('meta[name="theme-color"]');
  if (meta) meta.setAttribute("content", dark ? "#17120f" : "#fffaf5");
})();
