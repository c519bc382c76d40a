import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface ServerSentEvent {
  event: string;
  data: string;
  /** Empty if the event has none. */
  id: string;
}

/** Parses an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). */
export async function* readServerSentEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event = 'message', data, id = '' } of events) yield { event, data, id };
}
