"""The self-assessment: questions, typed answers and the learner's own code, graded and diagnosed."""
