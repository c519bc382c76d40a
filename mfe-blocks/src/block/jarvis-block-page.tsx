import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'jarvis',
  lead: 'Machine learning without a data team: send text or records, get a label, a score or a forecast.',
  description:
    'The Jarvis (ML) Block puts machine learning behind plain REST calls: classify text, train a model on your own examples, predict a value, and see how sure it is.',
  calls: [
    {
      title: 'Classify a text',
      text: 'Give the labels in plain words. No training needed for a first result.',
      request: 'POST /ml/classify',
      body: { text: 'My invoice is wrong', labels: ['billing', 'bug', 'praise'] },
      status: '200 OK',
      response: {
        data: { type: 'classifications', attributes: { label: 'billing', confidence: 0.94 } },
      },
    },
    {
      title: 'Train on your examples',
      text: 'A few hundred labeled rows make it yours. Training runs in the background.',
      request: 'POST /ml/models',
      body: { name: 'tickets', from: 'forms/contact', target: 'topic' },
      status: '202 Accepted',
      response: { data: { type: 'models', id: 'tickets', attributes: { status: 'training', rows: 412 } } },
    },
    {
      title: 'Check the model',
      text: 'The block holds back a fifth of your rows to test itself, so the accuracy is measured and not guessed.',
      request: 'GET /ml/models/tickets',
      status: '200 OK',
      response: {
        data: { type: 'models', id: 'tickets', attributes: { status: 'ready', accuracy: 0.91, tested: 82 } },
      },
    },
    {
      title: 'Predict',
      text: 'Below the confidence you choose, hand the case to a person.',
      request: 'POST /ml/models/tickets/predictions',
      body: { text: 'The app closes when I upload a photo' },
      status: '200 OK',
      response: { data: { type: 'predictions', attributes: { topic: 'bug', confidence: 0.88 } } },
    },
  ],
  screen: {
    lead: 'Tickets sorted before anyone opens them.',
    title: 'Tickets by topic',
    rows: [
      { text: 'Billing', value: '48 %', share: 48 },
      { text: 'Bug', value: '37 %', share: 37 },
      { text: 'Praise', value: '15 %', share: 15 },
    ],
  },
  related: {
    forms: 'Train on submissions, and sort new ones as they arrive.',
    search: 'Find results by meaning when the words differ.',
    sales: 'Score deals, so that the likely ones come first.',
  },
  questions: [
    [
      'Do I have to know machine learning?',
      'No. You send examples and read a label with a confidence. The model is our work.',
    ],
    ['Is my data used to train models for others?', 'A model belongs to the app that trained it.'],
    ['What if it’s wrong?', 'Send the correction. It counts as one more example in the next training.'],
  ],
});
