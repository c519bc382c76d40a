export const startSteps = [
  {
    drawing: 'app',
    title: 'Sign up and create an app',
    text: 'Create an account and an app, and get its app id. Your first month in Stage is free.',
    part: { count: 1, name: 'app' },
  },
  {
    drawing: 'choose',
    title: 'Choose blocks',
    text: 'Pick your first of 15 blocks. Add more when you need them.',
    part: { count: 1, name: 'block at first' },
  },
  {
    drawing: 'build',
    title: 'Build and test',
    text: 'Put them together in Dev, try them in Stage, and change your mind as often as you like.',
    part: { count: 3, name: 'environments' },
  },
  {
    drawing: 'integrate',
    title: 'Integrate through REST APIs',
    text: 'Call the blocks from any frontend. When it works, switch the environment to Prod.',
    part: { count: 1, name: 'frontend' },
  },
] as const;

export type StepName = (typeof startSteps)[number]['drawing'];
