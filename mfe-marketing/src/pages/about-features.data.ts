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
    text: 'Each app is isolated from the others, and from the blocks it doesn’t use.',
  },
  {
    drawing: 'available',
    name: 'High Availability',
    text: 'If one instance fails, another takes over.',
  },
] as const;

export type FeatureDrawingName = (typeof features)[number]['drawing'];
