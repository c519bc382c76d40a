import fc from 'fast-check';

// Deterministic by default. Other values: `FUZZ_SEED=2 npm run jest -- …`; a failure names the seed.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['FUZZ_SEED'] ?? 1) });
