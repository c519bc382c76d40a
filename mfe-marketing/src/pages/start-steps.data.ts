/** The four steps to start, on the home page and the start page. */
export const startSteps = [
  {
    drawing: 'app',
    title: 'Sign up and create an app',
    text: 'An account, an app, an app id. The first month in the stage environment is free.',
    part: { count: 1, name: 'app' },
  },
  {
    drawing: 'choose',
    title: 'Choose blocks',
    text: 'Choose from the box of 15. A plan lists one block.',
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

export type StepDrawingName = (typeof startSteps)[number]['drawing'];
