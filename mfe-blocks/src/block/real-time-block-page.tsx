import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'real-time',
  lead: 'Push updates to every open screen the moment they happen: chat, presence, live boards.',
  description:
    'The Real Time Block delivers messages to open apps behind REST APIs and one connection: publish to a channel, subscribe, see who is online, catch up after a break.',
  calls: [
    {
      title: 'Open a connection',
      text: 'Ask for a ticket, then open a WebSocket with it. The ticket says which channels it may read.',
      request: 'POST /realtime/tickets',
      body: { channels: ['board:42'] },
      status: '201 Created',
      response: {
        data: {
          type: 'tickets',
          attributes: { expires_in: 60 },
          links: { socket: 'wss://…/realtime?ticket=…' },
        },
      },
    },
    {
      title: 'Publish a message',
      text: 'From your server or from an app that may write. Everyone on the channel gets it.',
      request: 'POST /realtime/channels/board:42/messages',
      body: { event: 'card.moved', data: { card: 7, to: 'Done' } },
      status: '202 Accepted',
      response: { data: { type: 'messages', id: '1288', attributes: { receivers: 3 } } },
    },
    {
      title: 'See who is online',
      text: 'Presence without a heartbeat of your own.',
      request: 'GET /realtime/channels/board:42/presence',
      status: '200 OK',
      response: {
        data: [
          { type: 'members', id: 'usr_88', attributes: { name: 'Ada' } },
          { type: 'members', id: 'usr_91', attributes: { name: 'Grace' } },
        ],
      },
    },
    {
      title: 'Catch up',
      text: 'After a tunnel or a closed lid, ask for everything since the last message you saw.',
      request: 'GET /realtime/channels/board:42/messages?after=1286',
      status: '200 OK',
      response: {
        data: [
          { type: 'messages', id: '1287', attributes: { event: 'card.added' } },
          { type: 'messages', id: '1288', attributes: { event: 'card.moved' } },
        ],
      },
    },
  ],
  screen: {
    lead: 'Three people, one board, no reload.',
    title: 'Board 42 · live',
    rows: [
      { text: 'Card 7 moved to Done', note: 'Ada', value: 'now' },
      { text: 'Card 9 added', note: 'Grace', value: '4 s ago' },
      { text: 'Alan joined', value: '12 s ago' },
    ],
  },
  related: {
    auth: 'A ticket belongs to a signed-in user or a guest.',
    sales: 'Show an order’s status while it changes.',
    geolocation: 'Follow a delivery on a map.',
  },
  questions: [
    [
      'What if WebSockets are blocked?',
      'Read the channel’s messages with plain requests. It’s the same data.',
    ],
    [
      'Are messages stored?',
      'For as long as the channel says. Set it to zero for messages that are only worth something live.',
    ],
  ],
});
