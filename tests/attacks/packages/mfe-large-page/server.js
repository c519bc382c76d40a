exports['./large-page-page'] = async () => `<p>${'a'.repeat(3_600_000)}</p>`;
