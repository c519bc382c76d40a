// 300,000 image candidates, each of which is checked as a URL.
exports['./candidates-page'] = async () => `<img alt="" srcset="${'/a,'.repeat(1_340)}/a">`.repeat(220);
