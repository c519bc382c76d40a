// Sets the remembered theme before the first paint. Runs inline in <head>: plain, small, no imports.
(() => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme !== 'light' && theme !== 'dark') return;
    document.documentElement.dataset.theme = theme;
    // As in layout/theme.ts: the browser's own frame has a color for the light theme first, then one for the dark.
    document.querySelectorAll('meta[name="theme-color"]').forEach((meta, index) => {
      meta.setAttribute('media', (index === 0) === (theme === 'light') ? 'all' : 'not all');
    });
  } catch {
    // Storage is blocked: the system's theme it is.
  }
})();
