/**
 * The text of an answer, read no further than its bound: other servers may send anything.
 *
 * @param mostBytes what it may have; then the request ends.
 * @returns null for more than that.
 */
export async function boundedText({ body }: Response, mostBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop ends the request.
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
