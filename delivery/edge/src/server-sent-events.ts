export interface ServerSentEvent {
  event: string;
  data: string;
  /** The last id that the stream named; empty before the first. */
  id: string;
}

/** Reads an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). */
export async function* readServerSentEvents(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  let id = '';
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    // A lone CR at the end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event, data: data.join('\n'), id };
        event = 'message';
        data = [];
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id') id = value;
    }
  }
}
