// The parser compares each attribute of a tag with all others.
const many = Array.from({ length: 360 }, (_, index) => `data-${index.toString(36)}=""`).join(' ');
exports['./attributes-page'] = async () => `<p ${many}>a</p>`.repeat(220);
