/** Replaces files in tests with a URL. */
export default '/file';
