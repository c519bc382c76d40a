/** What commands and options were called in the version before. They work until the next one, and no help names them. */
const commands: Readonly<Record<string, string>> = { release: 'unquarantine' };
const options: Readonly<Record<string, string>> = {
  '--candidate': '--if-canary',
  '--parent': '--if-live',
  '--stable': '--live',
};

/**
 * A command line with the names of today.
 *
 * @param onFormer told of each former name, and of the one in its place.
 */
export function withNewNames(
  args: readonly string[],
  onFormer: (former: string, name: string) => void,
): string[] {
  return args.map((arg, index) => {
    const [option = '', ...value] = arg.split('=');
    const former = index === 0 ? arg : option;
    const name = index === 0 ? commands[arg] : options[option];
    if (name === undefined) return arg;
    onFormer(former, name);
    return [name, ...(index === 0 ? [] : value)].join('=');
  });
}
