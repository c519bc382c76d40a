import { Readable } from 'node:stream';
import { readServerSentEvents } from './server-sent-events.ts';

async function eventsOf(...chunks: string[]) {
  const events = [];
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const event of readServerSentEvents(stream)) events.push(event);
  return events;
}

test('reads events with their names, wherever the chunks are cut', async () => {
  const stream =
    'event: state\ndata: {"a":1}\n\n: comment\n\nid: 7\nevent:state\ndata:{"a":2}\n\ndata: plain\n\n';
  const expected = [
    { event: 'state', data: '{"a":1}', id: '' },
    { event: 'state', data: '{"a":2}', id: '7' },
    { event: 'message', data: 'plain', id: '7' },
  ];
  expect(await eventsOf(stream)).toEqual(expected);
  expect(await eventsOf(...stream.split(''))).toEqual(expected);
  expect(await eventsOf(...stream.replaceAll('\n', '\r\n').split(''))).toEqual(expected);
});

test('joins the lines of one event, and gives none for an event that was cut off', async () => {
  expect(await eventsOf('data: a\ndata: b\n\ndata: cut')).toEqual([
    { event: 'message', data: 'a\nb', id: '' },
  ]);
});
