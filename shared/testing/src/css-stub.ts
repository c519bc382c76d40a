/** Stands in for a global stylesheet in tests. */
export default {};
