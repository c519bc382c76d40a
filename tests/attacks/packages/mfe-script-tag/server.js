// To a pattern this is a data block, to a parser a script.
exports['./script-tag-page'] = async () =>
  `<script data-a=' type="application/json"' src="/assets/mfe-script-tag/evil.js"></script>`;
