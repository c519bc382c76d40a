export default { preset: '@site/testing', testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'] };
