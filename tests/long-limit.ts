// Jest has one limit for all projects; these tests start processes and browsers on a machine that may be busy.
jest.setTimeout(600_000);
