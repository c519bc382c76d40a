/**
 * Loads /home until both headlines were drawn; 40 loads miss one with a probability of 2 ^ -39. @param load returns the
 * drawn headline.
 */
export async function untilBoth(load: () => Promise<string>): Promise<void> {
  const drawn = new Set<string>();
  for (let loads = 0; drawn.size < 2; loads += 1) {
    if (loads === 40) throw new Error(`40 loads drew ${[...drawn].join()} only.`);
    drawn.add(await load());
  }
}
