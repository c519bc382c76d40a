import type { Migration } from '@site/server/open-database';
import { createRegistry } from './migrations/001-initial.ts';
import { addExperiments } from './migrations/002-experiments.ts';
import { addLogEpochs } from './migrations/003-log-epochs.ts';
import { addClocks } from './migrations/004-clocks.ts';
import { addPurges } from './migrations/005-purges.ts';
import { addCanaries } from './migrations/006-canaries.ts';
import { addPackages } from './migrations/007-packages.ts';
import { addPrivateBlobs } from './migrations/008-private-blobs.ts';

export const registryMigrations: Migration[] = [
  { name: '001-initial', up: createRegistry },
  { name: '002-experiments', up: addExperiments },
  { name: '003-log-epochs', up: addLogEpochs },
  { name: '004-clocks', up: addClocks },
  { name: '005-purges', up: addPurges },
  { name: '006-canaries', up: addCanaries },
  { name: '007-packages', up: addPackages },
  { name: '008-private-blobs', up: addPrivateBlobs },
];
