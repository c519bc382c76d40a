import fc from 'fast-check';

// A test gives the same answer each time. Other values: `FUZZ_SEED=2 npm run jest -- …`; a failure names the seed, too.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['FUZZ_SEED'] ?? 1) });
