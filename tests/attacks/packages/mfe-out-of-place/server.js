// Closes the element that contains the page, and continues outside of it.
exports['./out-of-place-page'] = async () => '</main></div><p>beside the page</p><div><main>';
