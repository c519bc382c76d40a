/**
 * The styles of the suggestions panel. Not a stylesheet: its loader would be in every first view, and a rule in each
 * document would cost visitors who never search.
 */
export const panelStyles = `
#search-panel {
  position: fixed;
  inset: var(--header) max(var(--gutter), (100vw - var(--width)) / 2) auto auto;
  z-index: 11;
  width: min(30rem, 100vw - 2 * var(--gutter));
  max-height: calc(100dvh - var(--header) - 1rem);
  overflow-y: auto;
  background: var(--paper);
  border: var(--stroke) solid var(--rule);
  border-top: 0;
  border-radius: 0 0 var(--radius) var(--radius);
}
#search-panel[hidden] { display: none; }
#search-panel p {
  padding: 0.75rem 1rem;
  font-size: var(--text-s);
  color: var(--muted);
}
#search-panel li[aria-selected='true'] {
  background: var(--sunk);
  box-shadow: inset 4px 0 0 var(--signal);
}
#search-panel li:hover { background: var(--sunk); }
#search-panel li {
  display: grid;
  gap: 0.15rem;
  padding: 0.6rem 1rem;
  font-size: 0.9375rem;
  line-height: 1.4;
  border-top: 1px solid var(--line);
  cursor: pointer;
}
#search-panel span {
  display: -webkit-box;
  -webkit-line-clamp: 2;
  -webkit-box-orient: vertical;
  overflow: hidden;
  font-size: var(--text-s);
  color: var(--muted);
}
@media (forced-colors: active) {
  #search-panel li[aria-selected='true'] { outline: 3px solid Highlight; outline-offset: -3px; }
}
@media print {
  #search-panel { display: none; }
}
`;
