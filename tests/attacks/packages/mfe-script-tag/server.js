// A data block to a regular expression, a script to a parser.
exports['./script-tag-page'] = async () =>
  `<script data-a=' type="application/json"' src="/assets/mfe-script-tag/evil.js"></script>`;
