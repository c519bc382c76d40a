/** Plays the registry: starts a composer, renders a page that never ends, and reports it. */
import { startComposer } from '../start-composer.ts';
import { loopingRequest } from './sample-request.ts';

void startComposer().compose(loopingRequest);
process.stdout.write('composing\n');
