/** The company's story, one paragraph each. It repeats the specification's claims and names no people. */
export const story = [
  'Most products begin with the same parts. Somebody signs up. Somebody fills in a form, uploads a file, searches for something. Before a team reaches the one idea that makes its product worth building, it has built the parts that every other team has built as well.',
  'We make those parts once, and properly: as API microservices with their business logic built in. We call them blocks, because that is how they are used. Pick the ones you need, plug them into the frontend you already have, and ship.',
  'A block comes with its instrumentation, its telemetry, its DevOps and its infrastructure. You get the endpoint; we keep it running. The plan is simple: the hours that went into the thousandth sign-up form go into the thing that only you can build.',
] as const;

export const features = [
  {
    drawing: 'ready',
    name: 'Ready for Production',
    text: 'Blocks are finished services with business logic, not templates to complete.',
  },
  {
    drawing: 'cloud',
    name: 'Cloud-Based',
    text: 'Components as a service: hosted, managed and reached through REST APIs.',
  },
  {
    drawing: 'isolated',
    name: 'Secure - Isolated',
    text: 'Each app is walled off from the others, and from the blocks it does not use.',
  },
  {
    drawing: 'available',
    name: 'High Availability',
    text: 'When one part stops, another of the same kind goes on in its place.',
  },
] as const;

export type FeatureDrawingName = (typeof features)[number]['drawing'];

/** The team's work for each block. */
export const teamParts = [
  { count: 1, name: 'instrumentation' },
  { count: 1, name: 'telemetry' },
  { count: 1, name: 'DevOps' },
  { count: 1, name: 'infrastructure' },
];
