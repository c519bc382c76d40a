/** Creates a token for one edge, like `npx @site/cli token create <id> --scope edge:<id>`. */
export async function makeEdgeToken(registryUrl: string, ops: string, id: string): Promise<string> {
  const response = await fetch(`${registryUrl}/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ops}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: id, scopes: [`edge:${id}`] }),
  });
  if (response.status !== 201) throw new Error(`No token for ${id}: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}
