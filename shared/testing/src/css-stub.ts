/** Replaces global stylesheets in tests. */
export default {};
