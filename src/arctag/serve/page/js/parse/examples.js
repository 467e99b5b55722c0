// @ts-check
// Texts to begin with.
export const EXAMPLES = [
  ["Control and coordination", "She wants to leave, but the cat that I fed still sleeps on her coat."],
  ["A question", "What did you say the students were asked to read?"],
  ["Shared dependents", "Anna bought apples and sold pears. Ben did neither."],
  ["A short story", "The kettle sings. Mia asked Tom to wait. He opened the window, looked outside and saw nothing but rain.\n\nLater, the friends they had invited arrived and dried their coats by the stove."],
];
