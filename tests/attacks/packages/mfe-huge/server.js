// A page of hundreds of megabytes.
exports['./huge-page'] = async () => '<p>' + 'x'.repeat(200e6) + '</p>';
