/** The company's story, one paragraph each. It repeats the specification's claims and names no people. */
export const story = [
  'Most products begin with the same parts. People sign up, fill in a form, upload a file, search. Before a team gets to the one idea that makes its product worth building, it has built the parts that every other team has built too.',
  'We make those parts once, and properly: API microservices with the business logic built in. We call them blocks because you use them like blocks. Pick the ones you need, plug them into the frontend you already have, and ship.',
  'Every block includes instrumentation, telemetry, DevOps and infrastructure. You get the endpoint; we keep it running. The hours that went into the thousandth sign-up form go into what only you can build.',
] as const;

export const teamParts = [
  { count: 1, name: 'instrumentation' },
  { count: 1, name: 'telemetry' },
  { count: 1, name: 'DevOps' },
  { count: 1, name: 'infrastructure' },
];
