/** A client's or proxy's `X-Request-Id` if it is safe in logs, headers and pages. */
export function usableRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : null;
}

/** Inserts the id into an error page, for the visitor's question to support. */
export function withRequestId(html: string, requestId: string): string {
  const main = html.lastIndexOf('</main>');
  const end = html.endsWith('</div>', main) ? main - '</div>'.length : main;
  return `${html.slice(0, end)}<p>Request ID: ${requestId}</p>${html.slice(end)}`;
}
