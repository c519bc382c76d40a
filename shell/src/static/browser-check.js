// Marks a browser without `light-dark()`, the newest feature that the site relies on (Chrome 123, Firefox 120, Safari 17.5). It keeps the
// prerendered page: no script starts, and controls that need one are hidden. Runs inline in <head>, in syntax that any browser reads.
if (!(window.CSS && CSS.supports && CSS.supports('color', 'light-dark(#000, #fff)')))
  document.documentElement.setAttribute('data-unsupported', '');
