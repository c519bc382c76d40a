exports['./exit-page'] = async () => process.exit(0);
