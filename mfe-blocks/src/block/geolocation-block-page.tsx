import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'geolocation',
  lead: 'Turn addresses into places, measure the way between them and find what’s nearby.',
  description:
    'The Geolocation Block answers questions about places behind REST APIs: find an address, store your places, search within a radius, measure distances, watch an area.',
  calls: [
    {
      title: 'Find an address',
      text: 'Send what your user typed. The best match comes first, with a score you can check.',
      request: 'GET /geo/search?q=pearl+street+boise',
      status: '200 OK',
      response: {
        data: [
          {
            type: 'addresses',
            id: 'adr_1',
            attributes: { label: 'Pearl Street, Boise, ID', lat: 43.616, lng: -116.202, score: 0.98 },
          },
        ],
      },
    },
    {
      title: 'Store a place',
      text: 'Shops, drivers, listings: anything with a position. Tags make it searchable.',
      request: 'PUT /geo/places/shop-12',
      body: { name: 'Pearl Street shop', lat: 43.616, lng: -116.202, tags: ['shop', 'open'] },
      status: '200 OK',
      response: { data: { type: 'places', id: 'shop-12', attributes: { name: 'Pearl Street shop' } } },
    },
    {
      title: 'Find what’s nearby',
      text: 'Nearest first, within the radius you give in meters.',
      request: 'GET /geo/places?near=43.610,-116.200&radius=2000&tag=open',
      status: '200 OK',
      response: {
        data: [
          { type: 'places', id: 'shop-12', attributes: { name: 'Pearl Street shop', meters: 684 } },
          { type: 'places', id: 'shop-07', attributes: { name: 'Campus shop', meters: 1310 } },
        ],
      },
    },
    {
      title: 'Measure a distance',
      text: 'As the crow flies. Good enough to sort a list or to set a delivery fee.',
      request: 'GET /geo/distance?from=shop-12&to=shop-07',
      status: '200 OK',
      response: { data: { type: 'distances', attributes: { meters: 1822 } } },
    },
  ],
  screen: {
    lead: 'A store finder is one call and a list.',
    title: 'Shops near you',
    rows: [
      { text: 'Pearl Street shop', note: 'Open', value: '0.7 km', share: 34 },
      { text: 'Campus shop', note: 'Open', value: '1.3 km', share: 65 },
      { text: 'Lakeside shop', note: 'Closed', value: '1.9 km', share: 95 },
    ],
  },
  related: {
    'real-time': 'Move a marker on the map while its driver moves.',
    products: 'Show what’s in stock in the nearest shop.',
    search: 'Rank results by distance.',
  },
  questions: [
    ['Do I need a map provider?', 'Only to draw a map. Search, places and distances work without one.'],
    [
      'Do you track my users?',
      'No. The block knows the positions that you send, and forgets them when you delete them.',
    ],
  ],
});
