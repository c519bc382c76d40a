/**
 * The styles of the suggestions panel. Not a stylesheet: its loader would be in every first view, and a rule in each
 * document would cost visitors who never search.
 */
export const panelStyles = `
#search-panel {
  position: fixed;
  inset: calc(var(--palette-top) + 3.25rem) 0 auto;
  z-index: 12;
  width: min(40rem, 100vw - 2 * var(--gutter));
  max-height: calc(100dvh - var(--palette-top) - 4.25rem);
  margin-inline: auto;
  display: flex;
  flex-direction: column;
  background: var(--paper);
  border: var(--stroke) solid var(--rule);
  border-top: 0;
  border-radius: 0 0 var(--radius) var(--radius);
}
#search-panel[hidden] { display: none; }
/* The list scrolls and not the panel, because the arrow keys reach all of the list. */
#search-suggestions {
  min-height: 0;
  overflow-y: auto;
}
#search-panel p {
  padding: 0.75rem 1rem;
  font-size: var(--text-s);
  color: var(--muted);
}
#search-panel [role='group'] > b {
  display: block;
  padding: 0.6rem 1rem 0.25rem;
  font-size: 0.75rem;
  font-weight: 650;
  letter-spacing: 0.06em;
  text-transform: uppercase;
  color: var(--muted);
}
#search-panel mark {
  color: inherit;
  background: none;
  text-decoration: underline 2px var(--signal);
  text-underline-offset: 0.2em;
}
#search-panel [role='option'][aria-selected='true'] {
  background: var(--sunk);
  box-shadow: inset 4px 0 0 var(--signal);
}
#search-panel [role='option']:hover { background: var(--sunk); }
#search-panel [role='option'] {
  display: grid;
  gap: 0.15rem;
  padding: 0.6rem 1rem;
  font-size: 0.9375rem;
  line-height: 1.4;
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
  #search-panel [aria-selected='true'] { outline: 3px solid Highlight; outline-offset: -3px; }
}
@media print {
  #search-panel { display: none; }
}
`;
