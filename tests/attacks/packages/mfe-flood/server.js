// Prints endlessly to all outputs.
exports['./flood-page'] = async () => {
  const line = 'x'.repeat(1e6);
  for (;;) {
    console.log(line);
    console.info(line);
    process.stdout.write(line);
    process.stderr.write(line);
    process.emitWarning(line);
    await null;
  }
};
