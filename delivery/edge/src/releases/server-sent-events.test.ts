import { readServerSentEvents } from './server-sent-events.ts';

async function eventsOf(...chunks: string[]) {
  const events = [];
  const stream = new Blob(chunks).stream();
  for await (const event of readServerSentEvents(stream)) events.push(event);
  return events;
}

test('yields events with names and ids, joins their lines, and drops a truncated one', async () => {
  expect(
    await eventsOf('id: 7\nevent: state\ndata: {"a":\ndata: 1}\n\n', ': comment\n\ndata: plain\n\ndata: cut'),
  ).toEqual([
    { event: 'state', data: '{"a":\n1}', id: '7' },
    { event: 'message', data: 'plain', id: '' },
  ]);
});
