// Jest has one timeout for all projects; these tests start processes and browsers on a possibly busy machine.
jest.setTimeout(600_000);
