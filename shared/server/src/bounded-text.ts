/**
 * The text of a response, up to a maximum size, because other servers may send anything.
 * @param mostBytes beyond it the request is aborted.
 * @returns null if it is larger.
 */
export async function boundedText({ body }: Response, mostBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop aborts the request.
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
