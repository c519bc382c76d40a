import { placesIn } from '../releases/bucket.ts';

/** The bucket of the visitor with this place in a canary's order: with 10 %, places 0 to 999 see it. */
export const bucketAt = (place: number, canary: string): number => placesIn(canary).indexOf(place);
