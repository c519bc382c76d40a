/** A registry's place: starts a composer, has it render a page that never ends, and says so. */
import { startComposer } from '../start-composer.ts';
import { loopingRequest } from './sample-request.ts';

void startComposer().compose(loopingRequest);
process.stdout.write('composing\n');
