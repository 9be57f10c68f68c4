// How a check ends.

/** Prints what is wrong, or else that all is good, and sets the exit status. */
export function report(check, problems, good) {
  for (const problem of new Set(problems)) console.error(`${check}: ${problem}`);
  if (problems.length > 0) process.exit(1);
  console.log(`${check}: ${good}`);
}
