import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'products',
  lead: 'A catalog with items, categories, variants and prices. Your shop decides how it looks.',
  description:
    'The Products Block is a catalog behind REST APIs: create products, set prices and variants, browse by category, and keep the stock right.',
  calls: [
    {
      title: 'Add a product',
      text: 'Prices are in the smallest unit of a currency, so nothing gets rounded.',
      request: 'POST /products',
      body: { name: 'Desk lamp', price: { amount: 4900, currency: 'USD' }, category: 'lighting' },
      status: '201 Created',
      response: {
        data: { type: 'products', id: 'prd_17', attributes: { name: 'Desk lamp', slug: 'desk-lamp' } },
      },
    },
    {
      title: 'Add a variant',
      text: 'Size, color, material: each combination has its own stock, and its own price if it needs one.',
      request: 'POST /products/prd_17/variants',
      body: { options: { color: 'red' }, stock: 12 },
      status: '201 Created',
      response: {
        data: { type: 'variants', id: 'var_44', attributes: { options: { color: 'red' }, stock: 12 } },
      },
    },
    {
      title: 'Browse a category',
      text: 'Filters and their counts come in one response, ready for a sidebar.',
      request: 'GET /products?category=lighting&max_price=10000',
      status: '200 OK',
      response: {
        data: [
          { type: 'products', id: 'prd_17', attributes: { name: 'Desk lamp', from: 4900 } },
          { type: 'products', id: 'prd_21', attributes: { name: 'Floor lamp', from: 8900 } },
        ],
        meta: { total: 2, facets: { color: { red: 1, black: 2 } } },
      },
    },
    {
      title: 'Reserve stock',
      text: 'Held while your customer pays, and released if they don’t.',
      request: 'POST /products/prd_17/reservations',
      body: { variant: 'var_44', quantity: 1, minutes: 15 },
      status: '201 Created',
      response: { data: { type: 'reservations', id: 'rsv_9', attributes: { left: 11 } } },
    },
  ],
  screen: {
    lead: 'The catalog your team edits and your shop shows.',
    title: 'Lighting',
    rows: [
      { text: 'Desk lamp', note: 'red, black · 23 in stock', value: '$49.00' },
      { text: 'Floor lamp', note: 'black · 5 in stock', value: '$89.00' },
      { text: 'Wall lamp', note: 'sold out', value: '$39.00' },
    ],
  },
  related: {
    sales: 'Turn a cart into an order.',
    search: 'Find products as your customer types.',
    'file-management': 'Keep the photos of each product.',
  },
  questions: [
    [
      'Does it take payments?',
      'No. It keeps the catalog. Use the payment provider you like, and Sales for the orders.',
    ],
    [
      'Can I import my catalog?',
      'Yes. Send products in batches; a row with a known reference updates what’s there.',
    ],
  ],
});
