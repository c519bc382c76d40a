export const benefits = [
  {
    title: 'Instrumentation',
    text: 'Each block measures its own calls, times and errors. You add no code for it.',
  },
  {
    title: 'Telemetry',
    text: 'The measurements are collected for you, so you can see how a block is doing while it runs.',
  },
  {
    title: 'DevOps',
    text: 'Builds, deployments and updates are our work. You get the environments Dev, Stage and Prod.',
  },
  {
    title: 'Infrastructure',
    text: 'Cloud servers with high availability, secure and isolated, and none of them yours to look after.',
  },
] as const;
