// Ends the element that the page stands in, and goes on beside it.
exports['./out-of-place-page'] = async () => '</main></div><p>beside the page</p><div><main>';
