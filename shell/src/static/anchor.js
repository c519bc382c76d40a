// The position of an anchor needs the layout above it, so nothing is deferred (layout.module.css). Runs inline in <head>.
if (location.hash) document.documentElement.dataset.anchor = '';
