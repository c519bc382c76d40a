/** @jest-environment node */
import { join } from 'node:path';
import { testRemoteContract } from '@site/testing/remote-contract';

testRemoteContract(join(__dirname, '..'));
