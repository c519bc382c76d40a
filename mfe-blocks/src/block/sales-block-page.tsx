import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'sales',
  lead: 'Deals and orders from first contact to close, with a pipeline your team can read at a glance.',
  description:
    'The Sales Block keeps deals and orders behind REST APIs: add a deal, move it through your stages, turn it into an order, read the pipeline.',
  calls: [
    {
      title: 'Add a deal',
      text: 'From a form, an import or by hand. It starts in your first stage.',
      request: 'POST /sales/deals',
      body: { title: 'Website relaunch', company: 'cmp_7h2', value: { amount: 1200000, currency: 'USD' } },
      status: '201 Created',
      response: {
        data: { type: 'deals', id: 'dea_61', attributes: { title: 'Website relaunch', stage: 'new' } },
      },
    },
    {
      title: 'Move it on',
      text: 'The block keeps who moved it and when, so a forecast has a history.',
      request: 'PUT /sales/deals/dea_61',
      body: { stage: 'offer', close_by: '2025-04-30' },
      status: '200 OK',
      response: {
        data: { type: 'deals', id: 'dea_61', attributes: { stage: 'offer', days_in_stage: 0 } },
      },
    },
    {
      title: 'Turn it into an order',
      text: 'A won deal becomes an order with lines and a number.',
      request: 'POST /sales/deals/dea_61/orders',
      body: { lines: [{ product: 'prd_17', quantity: 2 }] },
      status: '201 Created',
      response: {
        data: { type: 'orders', id: 'ord_2025_014', attributes: { status: 'open', total: 9800 } },
      },
    },
    {
      title: 'Read the pipeline',
      text: 'Count and value of each stage, in one call.',
      request: 'GET /sales/pipeline',
      status: '200 OK',
      response: {
        data: [
          { stage: 'new', deals: 8, value: 4100000 },
          { stage: 'offer', deals: 3, value: 2600000 },
          { stage: 'won', deals: 2, value: 1750000 },
        ],
      },
    },
  ],
  screen: {
    lead: 'Monday’s meeting on one screen.',
    title: 'Pipeline',
    rows: [
      { text: 'New', note: '8 deals', value: '$41,000', share: 100 },
      { text: 'Offer', note: '3 deals', value: '$26,000', share: 63 },
      { text: 'Won', note: '2 deals', value: '$17,500', share: 43 },
    ],
  },
  related: {
    products: 'Order lines come from your catalog.',
    companies: 'A deal belongs to an organization and its people.',
    jarvis: 'Score deals by how likely they are to close.',
  },
  questions: [
    [
      'Is it a CRM?',
      'It’s the backend of one. You build the screens your team needs and leave out the rest.',
    ],
    ['Can I name the stages?', 'Yes, in your own words and order. The pipeline follows.'],
  ],
});
