"""What Backstory promises so far, and the tests that prove it.

A promise has the number of the requirement that it keeps. A test that proves it says so itself,
`@pytest.mark.promise("R57")`; tests/rules/test_proofs.py keeps both sides equal.
"""

from proofs import read

# A promise is a line with its number and sentence; its proofs stand below it, indented.
_WRITTEN = """
R1 Memory belongs to one project, and no command or query reaches another's.
    tests/unit/adapters/test_project.py::test_two_repositories_of_one_name_are_two_projects
    tests/unit/adapters/test_project.py::test_nested_repository_is_not_its_parent
    tests/unit/adapters/test_project.py::test_subfolder_belongs_to_the_project_of_its_repository
    tests/unit/adapters/test_project.py::test_clone_cannot_bring_a_memory_of_its_own
    tests/flow/test_invariants.py::test_two_projects_of_one_name_share_nothing
    tests/flow/test_invariants.py::test_work_trees_of_one_repository_share_everything
    tests/flow/test_invariants.py::test_nothing_is_written_in_the_work_tree
R2 What was said before cannot influence an audit, a repair or an evaluation.
    tests/flow/test_invariants.py::test_an_isolated_purpose_is_given_the_same_with_a_full_memory_and_with_none
    tests/flow/test_library.py::test_what_an_audit_is_given_does_not_depend_on_what_is_stored
R3 Reading and writing are permitted by purpose, and the isolated purposes get a memory that holds nothing.
    tests/flow/test_invariants.py::test_an_isolated_purpose_keeps_nothing
    tests/flow/test_invariants.py::test_an_isolated_purpose_is_given_the_same_with_a_full_memory_and_with_none
    tests/flow/test_cli_isolation.py::test_a_command_reads_and_writes_nothing_and_is_no_failure
R5 A proposal becomes memory only when the program's own checks pass it, whoever made it.
    tests/unit/extract/test_hostile_model.py::test_only_what_the_user_said_passes_whatever_a_model_proposes
    tests/unit/extract/test_hostile_model.py::test_the_strategy_reaches_the_accepted_branch
    tests/flow/test_agents_word.py::test_what_the_users_words_do_not_prove_waits_and_is_nowhere_else
R6 History handed to an agent is bounded in turns and characters.
    tests/unit/inject/test_history_and_routing.py::test_history_is_at_most_eight_turns_and_twelve_thousand_characters
R7 A memory that cannot be read never stops the host.
    tests/flow/test_hosts.py::test_a_damaged_store_stops_no_host_and_is_left_as_it_is
R9 A conversation goes on after the program was restarted.
    tests/flow/test_invariants.py::test_what_was_said_lasts_over_a_restart_and_answers_in_both_languages
R10 Each kind of item has evidence of its own that it wants.
    tests/unit/extract/test_gate.py::test_an_event_cannot_prove_a_decision
    tests/unit/extract/test_gate.py::test_an_unproved_kind_is_refused
    tests/unit/consolidate/test_operations.py::test_two_events_ground_a_lesson_and_nothing_else
R11 Discussions belong to their thread and are marked as no fact.
    tests/unit/recall/test_recall.py::test_a_discussion_is_found_in_its_own_thread_and_marked
    tests/unit/consolidate/test_stage.py::test_a_discussion_lives_in_its_thread
R12 Injected text says that memory is no evidence about the code and that the user's current words win.
    tests/flow/test_invariants.py::test_what_is_handed_over_says_that_it_proves_nothing_about_the_code
    tests/unit/inject/test_relevant.py::test_ids_kinds_ages_and_origins_are_shown_with_both_fixed_lines
R13 Tool output, reminders, hook context and other text that no human wrote grounds no item.
    tests/unit/adapters/test_claude_code.py::test_record_that_is_no_prompt_by_structure_is_skipped
    tests/unit/adapters/test_claude_code.py::test_tool_results_are_nowhere_in_what_is_read
    tests/unit/adapters/test_claude_code.py::test_recalled_memory_and_hook_context_are_not_said
    tests/unit/record/test_recording.py::test_what_no_human_said_is_kept_but_never_read
    tests/flow/test_import.py::test_transcript_that_holds_an_injection_adds_nothing_new
    tests/flow/test_invariants.py::test_injected_text_that_comes_back_grounds_nothing
R14 No candidate is a normal result.
    tests/unit/consolidate/test_stage.py::test_no_pending_candidate_means_no_change
    tests/flow/test_hosts.py::test_what_proposes_nothing_leaves_no_work
R21 The story is told in the order of time, each decision with its reason.
    tests/flow/test_story.py::test_story_of_a_place_is_told_in_time
    tests/unit/episodes/test_summaries.py::test_decision_comes_with_the_reason_of_the_time
R25 A memory that does nothing has the same surface as the real one.
    tests/flow/test_invariants.py::test_a_memory_that_holds_nothing_has_the_surface_of_the_real_one
    tests/flow/test_library.py::test_the_twin_has_exactly_the_surface_of_memory
    tests/flow/test_library.py::test_a_method_of_the_twin_is_called_like_the_real_one
R26 The three calls of the host boundary, load_run_memory, load_project_memory and save_run_memory, are kept.
    tests/flow/test_hosts.py::test_a_run_is_saved_once_and_loaded_as_it_was
    tests/flow/test_library.py::test_a_run_of_a_host_is_kept_apart_from_other_runs
R29 Questions about the history of decisions are answered with the reasons of that time.
    tests/flow/test_story.py::test_why_question_finds_the_reason_of_the_time
    tests/flow/test_story.py::test_chinese_why_question_finds_the_reason_of_the_time
    tests/flow/test_story.py::test_why_question_finds_the_reason_that_was_said
R31 An item is shown with the words that prove it and every revision of it.
    tests/contract/test_items.py::test_the_story_of_an_item_holds_its_evidence_with_the_time_it_was_said
    tests/contract/test_items.py::test_the_change_log_tells_who_did_what_newest_first
R37 No item is written without evidence.
    tests/flow/test_invariants.py::test_every_item_of_many_conversations_has_the_exact_words_that_prove_it
R39 One SQLite file in the project's state directory is the only source of truth.
    tests/store/test_opening.py::test_nothing_but_the_file_is_left_when_it_is_closed
    tests/store/test_opening.py::test_a_store_is_opened_again_with_what_it_held
R40 The schema is one documented file and equals its migrations.
    tests/store/test_migrations.py::test_the_documented_schema_is_what_the_migrations_make
R46 An episode is kept with its name, what belongs to it and when it was.
    tests/contract/test_episodes.py::test_an_episode_comes_back_whole
R47 A commit, a session and a stretch bounded by hand are episodes.
    tests/flow/test_backfill.py::test_commits_become_episodes_with_summary_ticket_and_link
    tests/flow/test_story.py::test_begun_episode_is_summed_up_from_what_was_committed
    tests/flow/test_story.py::test_events_of_a_session_that_is_over_become_a_lesson_and_an_episode
    tests/flow/test_sessions_told.py::test_session_knows_the_decisions_of_its_turns_its_branch_and_its_tickets
R48 A summary has an objective, decisions with reasons, changes, problems with solutions, todos and keywords.
    tests/unit/episodes/test_summaries.py::test_decision_comes_with_the_reason_of_the_time
    tests/unit/episodes/test_summaries.py::test_problem_comes_with_its_solution
R51 A todo is closed by the later episode that did it, and linked with it.
    tests/flow/test_backfill.py::test_later_commit_closes_what_an_earlier_one_left
    tests/flow/test_story.py::test_todo_is_listed_added_and_closed_by_an_episode
    tests/flow/test_todos.py::test_reopened_todo_is_closed_by_nobody_but_a_person
    tests/flow/test_todos.py::test_todo_that_is_opened_again_before_others_close_it_stays_open
    tests/flow/test_todos.py::test_todo_added_by_hand_is_closed_by_the_later_commit_that_does_it
R52 An item carries scope, kind, source, confidence, priority, tags, paths, times and status.
    tests/contract/test_items.py::test_an_item_comes_back_as_it_was
R53 Every kind of item is explained to a model, and it can name no other.
    tests/unit/extract/test_model_proposing.py::test_every_kind_is_explained_and_no_other
    tests/unit/extract/test_model_reply.py::test_an_unknown_kind_is_refused_and_not_guessed
R54 Stale items are shown with their mark only, and superseded ones never.
    tests/unit/recall/test_recall.py::test_stale_items_are_found_and_flagged
    tests/unit/recall/test_recall.py::test_an_item_that_the_index_still_holds_is_hidden_once_it_is_superseded
R55 What a run does is held apart from knowledge: its task, files read and changed, and failed attempts.
    tests/flow/test_library.py::test_a_run_of_a_host_is_kept_apart_from_other_runs
R56 Only the ordinary purposes write.
    tests/flow/test_invariants.py::test_an_isolated_purpose_keeps_nothing
    tests/flow/test_cli_isolation.py::test_a_command_reads_and_writes_nothing_and_is_no_failure
R57 The user's words are stored before the model is called, and the answer as it was shown.
    tests/contract/test_turns.py::test_a_turn_is_stored_before_its_answer_is_known
    tests/process/test_store.py::test_nothing_is_lost_or_broken_when_the_process_is_killed_at_any_moment
R58 A failed turn keeps the user's words, and one whose owner died is marked as interrupted.
    tests/contract/test_turns.py::test_a_failed_turn_keeps_what_the_user_said
    tests/contract/test_turns.py::test_only_a_turn_whose_lease_ran_out_is_interrupted
    tests/unit/record/test_recording.py::test_only_abandoned_turns_are_recovered_and_then_read
R59 Raw turns are stored verbatim, whatever their length.
    tests/contract/test_turns.py::test_any_text_comes_back_as_it_was
    tests/contract/test_turns.py::test_a_text_of_five_million_characters_is_stored_whole
    tests/process/test_import_limits.py::test_prompt_of_five_million_characters_is_kept_whole
R60 A turn stays in the thread that it began in.
    tests/unit/record/test_recording.py::test_a_turn_stays_with_the_thread_it_began_in
R61 A host session has one thread, and the chat of a project one active thread.
    tests/contract/test_threads.py::test_a_host_session_finds_its_thread_by_its_own_name
    tests/contract/test_threads.py::test_two_threads_cannot_be_active_for_one_host_without_sessions
    tests/unit/record/test_recording.py::test_a_host_session_is_bound_to_one_thread_for_good
R62 An empty memory answers with nothing, and with no error.
    tests/flow/test_invariants.py::test_an_empty_memory_answers_with_nothing_and_no_error
R63 A store is made at its first use, by any number of programs at once.
    tests/process/test_store.py::test_eight_processes_open_one_new_store_at_once
R64 Commits, commands, test runs, saved files and closed tickets are recorded as events.
    tests/contract/test_events.py::test_an_event_comes_back_with_all_it_said
    tests/unit/record/test_recording.py::test_an_event_is_kept_with_a_text_that_can_be_quoted
    tests/unit/record/test_commands.py::test_a_command_that_runs_tests_is_a_test_run
    tests/unit/capture/test_runners.py::test_command_that_runs_tests_is_told_with_its_runner
R65 Only what tells an intention or a change is recorded, not what only looks around.
    tests/flow/test_shell_events.py::test_what_only_looks_around_is_not_kept
R66 Work is captured lightly where it happens: commits where git makes them, commands where they are typed, files where they are saved, tickets where they are told.
    tests/flow/test_shell_events.py::test_a_command_is_kept_with_its_place_duration_and_branch
    tests/flow/test_cli_tickets.py::test_tickets_are_pulled_by_gh
    tests/flow/test_webhooks.py::test_a_closed_ticket_is_recorded_once_however_often_it_is_delivered
    tests/process/test_sources.py::test_saved_files_are_recorded_while_somebody_watches
    tests/process/test_git_hooks.py::test_each_event_calls_the_program_in_the_work_tree
    tests/process/test_git_hooks.py::test_a_commit_waits_for_nothing_and_nothing_stays
R67 Half an hour without an event ends a session.
    tests/unit/episodes/test_sessions.py::test_half_an_hour_of_silence_ends_a_session
R68 A commit, a closed ticket, an idle hour or a command ends an episode.
    tests/unit/episodes/test_sessions.py::test_commit_and_closed_ticket_end_an_episode
    tests/unit/episodes/test_sessions.py::test_idle_hour_ends_an_episode_and_less_does_not
R69 An episode can be begun, ended and summed up by hand.
    tests/flow/test_story.py::test_begun_episode_is_summed_up_from_what_was_committed
R71 Extraction is due when two turns wait or the oldest has waited thirty seconds.
    tests/unit/record/test_recording.py::test_one_turn_is_read_after_thirty_seconds_and_two_at_once
R73 A turn that is marked as an explanation of the whole project makes its thread due at once.
    tests/unit/record/test_recording.py::test_an_explanation_of_the_whole_project_is_read_at_once
R74 Words that ask to be remembered make their thread due at once.
    tests/unit/record/test_recording.py::test_a_lasting_wish_is_read_at_once
    tests/unit/record/test_urgent.py::test_a_lasting_wish_is_urgent
R75 Nothing watches files unless somebody asks for it, and only as long as that runs.
    tests/process/test_sources.py::test_saved_files_are_recorded_while_somebody_watches
R76 An operation with an unknown id, an illegal kind or a false source is refused.
    tests/unit/consolidate/test_stage.py::test_an_illegal_operation_undoes_the_whole_batch
R77 A change can only be to an item that was offered for it.
    tests/unit/consolidate/test_advice.py::test_an_item_that_was_not_offered_or_says_something_else_is_left_alone
    tests/unit/consolidate/test_operations.py::test_an_item_retired_before_is_out_of_reach
R78 A preference is the user's own word.
    tests/unit/extract/test_gate.py::test_the_assistants_words_alone_prove_nothing
    tests/flow/test_model_cases.py::test_what_only_the_assistant_said_never_becomes_the_users
    tests/flow/test_agents_word.py::test_what_only_the_agent_answered_proves_nothing
R79 A task, a question, a guess, code and what holds only once are not remembered.
    tests/unit/extract/test_extracting.py::test_what_does_not_last_becomes_nothing
    tests/unit/extract/test_gate.py::test_no_kind_and_no_span_makes_a_question_pass
R80 Every recorded turn is read by a job that survives the program.
    tests/unit/record/test_recording.py::test_a_failed_turn_is_read_for_what_the_user_said
    tests/process/test_store.py::test_eight_workers_share_the_jobs_and_none_is_done_twice
R81 A batch of extraction holds four turns at the most, in the order of the thread.
    tests/contract/test_turns.py::test_what_a_human_said_waits_for_extraction_in_order
R82 A batch read by a model gives a thread summary and proposals, and the summary grows with the thread.
    tests/flow/test_model_memory.py::test_the_summary_grows_and_is_shown_to_the_next_call_as_context
R83 A quote is exactly the span that it names.
    tests/unit/extract/test_hostile_model.py::test_only_what_the_user_said_passes_whatever_a_model_proposes
R84 The words around a quote have to say what is remembered, in Chinese and in English, and no less than it says.
    tests/unit/extract/test_gate.py::test_a_statement_that_says_more_than_its_evidence_is_refused
    tests/unit/extract/test_gate.py::test_a_model_cannot_cut_the_force_out_of_a_clause
    tests/unit/extract/test_gate.py::test_a_denial_never_supports_what_it_denies
R85 What only the assistant said never becomes what the user said.
    tests/flow/test_model_cases.py::test_what_only_the_assistant_said_never_becomes_the_users
R86 A short confirmation binds to the proposal right before it in the same thread.
    tests/unit/extract/test_model_proposing.py::test_a_confirmation_binds_to_the_answer_before
    tests/flow/test_model_cases.py::test_the_yes_of_one_thread_never_confirms_the_offer_of_another
R87 A refused proposal blocks no other, and keeps its reasons.
    tests/contract/test_candidates.py::test_a_refusal_keeps_its_reasons_and_is_no_candidate
    tests/contract/test_candidates.py::test_a_refusal_without_a_reason_is_not_stored
    tests/flow/test_model_cases.py::test_one_bad_candidate_takes_no_other_with_it
    tests/flow/test_model_memory.py::test_refused_proposals_are_kept_with_their_reasons
R88 A turn that proposes nothing leaves no further job.
    tests/flow/test_hosts.py::test_what_proposes_nothing_leaves_no_work
R89 A turn is read for what lasts when it has ended, without being asked.
    tests/unit/record/test_recording.py::test_an_open_turn_is_not_read_yet
    tests/unit/record/test_recording.py::test_one_turn_is_read_after_thirty_seconds_and_two_at_once
R91 A near-duplicate becomes evidence of the item that is there.
    tests/unit/consolidate/test_stage.py::test_the_same_choice_in_other_words_is_evidence
R92 An explicit request to remember is followed at once.
    tests/flow/test_hosts.py::test_a_request_to_remember_is_followed_at_once
R93 A model sums up from ordered events and the dialogue, and answers in strict JSON.
    tests/flow/test_model_summaries.py::test_model_is_shown_what_matters_in_order_within_bounds
R94 What a model is shown of an episode is without chit-chat, detours and most of the diff.
    tests/flow/test_model_summaries.py::test_model_is_shown_what_matters_in_order_within_bounds
R95 Nothing is summed up while the user waits.
    tests/flow/test_story_upkeep.py::test_session_is_told_an_hour_after_its_last_event_and_not_before
R96 Of a model's summary only what the recorded texts, the diff and the events prove is kept.
    tests/flow/test_model_summaries.py::test_what_a_model_says_is_kept_where_the_texts_prove_it
    tests/flow/test_model_summaries.py::test_what_tests_did_is_told_by_events_alone
R97 Without a model the commit's own message is the summary.
    tests/flow/test_summaries_on_request.py::test_model_that_is_down_leaves_the_summary_by_rule_and_a_plain_line
    tests/unit/episodes/test_summaries.py::test_every_sentence_of_a_summary_stands_in_the_message
    tests/flow/test_model_summaries.py::test_what_the_rules_found_stands_where_the_model_fails
R98 What a person wrote of an episode no job overwrites.
    tests/flow/test_summaries_on_request.py::test_what_a_person_edited_stays_on_request_too
    tests/flow/test_model_summaries.py::test_what_a_person_wrote_is_not_summed_up_again
R99 What worked after a command had failed becomes a lesson.
    tests/unit/episodes/test_lessons.py::test_what_worked_instead_is_the_lesson
    tests/flow/test_story.py::test_events_of_a_session_that_is_over_become_a_lesson_and_an_episode
R101 A proposal becomes an item, more evidence of one that is there, or nothing.
    tests/unit/consolidate/test_stage.py::test_a_candidate_becomes_an_item_with_its_evidence
    tests/unit/consolidate/test_stage.py::test_the_same_choice_in_other_words_is_evidence
    tests/unit/consolidate/test_stage.py::test_an_unclear_withdrawal_takes_nothing_back
R103 Proposals are decided by one worker at a time, and only where there are some.
    tests/unit/consolidate/test_stage.py::test_no_pending_candidate_means_no_change
    tests/process/test_worker.py::test_a_second_worker_leaves_the_work_to_the_first
R104 Consolidation accepts create, revise, supersede, reject and retract, and nothing else.
    tests/unit/consolidate/test_stage.py::test_a_candidate_becomes_an_item_with_its_evidence
    tests/unit/consolidate/test_stage.py::test_a_later_choice_takes_the_place_of_the_earlier
    tests/unit/consolidate/test_stage.py::test_what_is_taken_back_is_no_longer_active
R105 One illegal operation rolls back its whole batch.
    tests/unit/consolidate/test_stage.py::test_an_illegal_operation_undoes_the_whole_batch
R106 Revisions are appended, and time alone supersedes nothing.
    tests/unit/consolidate/test_stage.py::test_older_words_imported_later_do_not_overrule_newer_ones
    tests/unit/consolidate/test_stage.py::test_a_denial_of_another_value_changes_nothing
    tests/unit/consolidate/test_verbs.py::test_an_edit_keeps_the_evidence_and_the_earlier_words
R107 A forgotten item leaves every view, and old evidence cannot rebuild it.
    tests/flow/test_model_summaries.py::test_forgetting_takes_a_models_words_out_of_what_a_person_edited_and_tells_of_theirs
    tests/flow/test_model_summaries.py::test_what_is_forgotten_while_a_model_is_asked_is_kept_in_no_summary
    tests/flow/test_model_summaries.py::test_what_is_taken_back_with_approval_takes_back_what_a_model_made_of_it
    tests/flow/test_model_summaries.py::test_what_is_taken_back_in_conversation_takes_back_what_a_model_made_of_it
    tests/unit/consolidate/test_verbs.py::test_a_forgotten_item_is_gone_and_old_turns_never_rebuild_it
    tests/unit/consolidate/test_verbs.py::test_an_old_transcript_does_not_rebuild_what_was_forgotten
    tests/unit/consolidate/test_verbs.py::test_a_new_statement_creates_again_what_was_forgotten
    tests/flow/test_invariants.py::test_a_forgotten_item_is_in_no_view_and_is_not_rebuilt
    tests/flow/test_model_summaries.py::test_forgetting_takes_back_what_a_model_made_of_the_same_words
R112 A damaged store is kept, named and reported, and never replaced by an empty one.
    tests/store/test_degraded.py::test_starting_over_keeps_the_broken_store_beside_the_new_one
    tests/store/test_opening.py::test_a_log_without_its_file_is_not_filled_into_a_new_one
    tests/flow/test_hosts.py::test_a_damaged_store_stops_no_host_and_is_left_as_it_is
R113 A newer or unknown file is refused and left as it is.
    tests/store/test_degraded.py::test_what_is_not_a_sound_store_is_told_and_left_untouched
    tests/store/test_migrations.py::test_a_populated_store_of_every_released_version_opens_with_its_rows
R114 A result from before a clear is refused.
    tests/store/test_clearing.py::test_what_was_begun_before_a_clear_cannot_be_ended_after_it
    tests/flow/test_model_memory.py::test_clear_during_a_call_refuses_the_late_result
    tests/process/test_worker.py::test_a_second_worker_leaves_the_work_to_the_first
R117 Recall needs no model, no embedding and no network.
    tests/flow/test_invariants.py::test_rebuilding_the_index_changes_no_answer
R118 Reading an item gives bounded content, bounded sources and its mark.
    tests/unit/recall/test_reading.py::test_content_sources_and_excerpts_are_bounded
R119 Names and text of an item are kept apart, and names weigh more.
    tests/unit/index/test_index.py::test_a_term_knows_the_fields_it_stands_in
    tests/unit/index/test_index.py::test_names_weigh_more_than_text_and_text_more_than_paths
R120 Recall finds active items, this thread's discussions and nothing else.
    tests/unit/recall/test_recall.py::test_what_was_promoted_to_the_user_is_found
    tests/unit/recall/test_reading.py::test_what_may_not_be_seen_cannot_be_read
R121 Archived, superseded, retracted and forgotten items are found nowhere.
    tests/unit/recall/test_recall.py::test_superseded_retracted_forgotten_and_archived_items_are_never_found
R122 Discussion carries its mark wherever it is shown.
    tests/unit/recall/test_reading.py::test_a_discussion_is_read_in_its_thread_as_no_fact
    tests/unit/inject/test_relevant.py::test_stale_and_not_factual_hits_are_marked
    tests/unit/inject/test_history_and_routing.py::test_routing_holds_five_of_a_sort_and_marks_what_is_only_discussed
R123 A query that is empty finds nothing, and one that is too long is reduced.
    tests/unit/recall/test_recall.py::test_no_question_is_no_answer
    tests/unit/recall/test_recall.py::test_a_question_inside_a_long_message_is_answered
R124 The number of statements of a recall does not grow with the number of items.
    tests/unit/recall/test_cost.py::test_five_thousand_items_cost_as_many_statements_as_fifty
R125 Where nothing matches, the answer is empty and says why.
    tests/unit/recall/test_recall.py::test_a_question_about_something_else_finds_nothing
    tests/unit/recall/test_recall.py::test_weight_orders_equals_and_never_lets_anything_in
R126 A long query does not match by a short common word.
    tests/unit/recall/test_recall.py::test_a_longer_question_does_not_match_by_a_short_common_word
R127 History is eight completed turns and 12,000 characters at the most.
    tests/unit/inject/test_history_and_routing.py::test_history_is_at_most_eight_turns_and_twelve_thousand_characters
    tests/flow/test_library.py::test_history_is_the_last_turns_within_both_bounds
R128 Routing context is 4,000 characters at the most.
    tests/unit/inject/test_history_and_routing.py::test_routing_is_at_most_four_thousand_characters
R129 The index is byte for byte the same while memory is unchanged.
    tests/unit/inject/test_index_text.py::test_the_same_memory_gives_the_same_bytes_in_any_order
    tests/unit/inject/test_index_text.py::test_lines_and_bytes_are_never_exceeded
R130 At most five items are handed over in full, fenced and labelled.
    tests/unit/inject/test_relevant.py::test_five_items_and_three_episodes_at_most
    tests/unit/inject/test_relevant.py::test_the_budget_is_never_exceeded
    tests/unit/inject/test_fences.py::test_no_tag_survives_in_content
R133 Open files, branch and ticket suffice to recall.
    tests/flow/test_story.py::test_branch_ticket_and_commit_are_places
    tests/flow/test_story.py::test_file_alone_recalls_what_it_left_open_first
    tests/flow/test_story.py::test_part_of_a_path_is_the_place_that_it_names
    tests/flow/test_story.py::test_renamed_file_brings_what_it_was_before
R135 Three episodes at the most are handed to an agent.
    tests/flow/test_story.py::test_three_episodes_at_the_most_reach_an_agent
    tests/flow/test_linked_episodes.py::test_what_undid_an_episode_and_what_has_its_ticket_come_along
R136 What was left open in a file is told first when work comes to it.
    tests/flow/test_story.py::test_file_alone_recalls_what_it_left_open_first
    tests/flow/test_story.py::test_what_went_wrong_at_a_file_is_told_before_what_was_merely_done
R137 An episode that belongs to one that was found comes along.
    tests/flow/test_linked_episodes.py::test_what_undid_an_episode_and_what_has_its_ticket_come_along
    tests/unit/episodes/test_finding.py::test_episode_that_a_match_refers_to_comes_along
R138 What is injected is chosen by relevance, never all of it.
    tests/unit/inject/test_relevant.py::test_what_this_thread_has_seen_is_not_shown_again_until_it_changes
R143 A new thread gives waiting work one chance and keeps everything but the old discussion.
    tests/unit/consolidate/test_verbs.py::test_discussions_are_archived_with_their_thread
    tests/contract/test_threads.py::test_an_archived_thread_makes_room_and_keeps_its_time
R146 Status, list, show, forget, clear and export do what their help says, and leave the rest alone.
    tests/flow/test_cli_commands.py::test_what_is_remembered_is_listed_shown_found_and_explained
    tests/flow/test_cli_commands.py::test_edit_pin_unpin_forget_and_undo_change_one_item
    tests/flow/test_cli_commands.py::test_clear_says_what_would_go_and_deletes_when_confirmed
R147 Clear fences what is still running and leaves one empty memory.
    tests/store/test_clearing.py::test_everything_is_gone_but_one_new_thread_and_the_users_choices
    tests/store/test_clearing.py::test_words_are_gone_from_the_files_and_exports_stay
    tests/flow/test_cli_commands.py::test_clear_says_what_would_go_and_deletes_when_confirmed
R148 An export never overwrites, is complete, and can be imported.
    tests/store/test_exports.py::test_an_export_reads_back_into_an_empty_store_as_it_was
    tests/store/test_exports.py::test_a_new_export_never_overwrites_an_older_one
    tests/process/test_store.py::test_eight_processes_export_at_once_and_no_export_is_overwritten
    tests/flow/test_cli_commands.py::test_an_export_fills_an_empty_memory_and_no_other
R149 What is said is stored as it was said, or with its secrets replaced where that is asked for.
    tests/flow/test_settings.py::test_secrets_are_stored_as_said_unless_they_are_to_be_left_out
    tests/flow/test_settings.py::test_secrets_left_out_at_capture_are_in_no_file
    tests/flow/test_own_patterns.py::test_what_matches_is_in_no_file_where_secrets_are_left_out_at_capture
R150 Secrets, and addresses on the internet, are replaced in everything that is derived.
    tests/unit/capture/test_redact.py::test_an_address_on_the_internet_is_replaced
    tests/unit/extract/test_model_proposing.py::test_no_secret_reaches_the_model_or_the_summary
    tests/unit/extract/test_model_shown.py::test_a_quote_over_a_secret_keeps_its_placeholder
    tests/flow/test_model_memory.py::test_a_secret_never_reaches_the_model_or_what_is_derived
    tests/flow/test_own_patterns.py::test_what_matches_is_replaced_in_all_that_is_derived
    tests/flow/test_own_patterns.py::test_what_matches_never_leaves_the_machine
    tests/flow/test_model_summaries.py::test_no_secret_reaches_the_model_that_sums_up
    tests/unit/episodes/test_material.py::test_a_secret_that_lies_across_a_cut_is_not_shown_in_part
R151 Nothing leaves the machine unless a person chose a model elsewhere.
    tests/rules/test_home.py::test_reaching_for_a_network_is_an_error
    tests/flow/test_model_memory.py::test_without_a_model_nothing_waits_for_one
    tests/flow/test_cli_models.py::test_a_projects_file_cannot_send_words_elsewhere
R153 A person is told what is recorded, and can switch each source off, everywhere or in one project.
    tests/flow/test_settings.py::test_a_source_that_any_place_switches_off_is_off
    tests/flow/test_sources_told.py::test_status_tells_what_is_recorded_and_what_could_be
    tests/flow/test_sources_told.py::test_where_conversations_are_off_hooks_record_none_and_still_show
    tests/flow/test_shell_events.py::test_a_source_that_is_off_throws_away_what_waits_and_tells_shells_to_stop
    tests/flow/test_cli_tickets.py::test_where_tickets_are_off_none_is_recorded
    tests/process/test_shell.py::test_the_first_time_in_a_project_is_told_and_no_other
R154 A person can see and remove whatever is remembered.
    tests/unit/consolidate/test_verbs.py::test_an_edit_is_a_persons_revision_that_no_job_replaces
    tests/store/test_erasing.py::test_no_file_holds_the_words_after_they_were_erased
    tests/flow/test_cli_commands.py::test_erase_asks_first_and_leaves_no_byte
R155 A diagnosis has 20,000 characters at the most, and no request, prompt or key.
    tests/unit/models/test_masking.py::test_a_diagnosis_is_bounded_whatever_it_holds
    tests/contract/test_model_client_http.py::test_a_diagnosis_holds_neither_key_nor_prompt
    tests/contract/test_jobs.py::test_a_failure_keeps_its_bounded_diagnosis_until_the_job_is_done
R156 Words from outside are printed literally, and raw diagnoses only on request.
    tests/flow/test_cli_text.py::test_hostile_words_are_printed_literally_by_every_command
    tests/flow/test_cli_doctor.py::test_work_that_was_given_up_is_told_and_tried_again
    tests/flow/test_cli_models.py::test_a_raw_error_is_shown_to_who_debugs_alone_literally_and_without_the_key
R157 The last error is the newest that is unresolved, and goes only when all are resolved.
    tests/flow/test_model_cases.py::test_the_last_error_is_the_newest_and_goes_only_with_the_last_that_failed
R158 Every call to a model is booked with its purpose.
    tests/flow/test_model_memory.py::test_every_call_is_in_the_book
R160 Every write is one short transaction, and no two writers lose each other's work.
    tests/process/test_store.py::test_eight_processes_write_at_once_and_every_turn_is_there
    tests/contract/test_transactions.py::test_an_error_inside_takes_everything_of_the_transaction_back
    tests/store/test_opening.py::test_each_connection_waits_survives_power_cuts_and_checks_references
R161 Only an expired lease is taken over.
    tests/contract/test_jobs.py::test_a_leased_job_is_not_leased_again_before_its_deadline
    tests/contract/test_turns.py::test_a_renewed_turn_is_not_interrupted
    tests/unit/record/test_recording.py::test_recovery_after_the_clock_went_back_ends_nobodys_turn
R162 A finishing write names its lease and generation, and is refused when either changed.
    tests/contract/test_jobs.py::test_a_worker_that_overran_cannot_end_a_job_that_was_taken_over
    tests/contract/test_transactions.py::test_a_lost_lease_takes_back_what_was_written_beside_it
R163 One job's failure blocks no other job.
    tests/unit/jobs/test_worker.py::test_a_job_that_fails_waits_and_the_others_run
    tests/flow/test_model_memory.py::test_a_failing_thread_holds_back_no_other
R164 A failed job is tried again after 5 s, 30 s, 2 min, 10 min and 1 h, then hourly, then buried.
    tests/unit/jobs/test_retry.py::test_what_may_pass_by_itself_is_tried_to_the_schedule_and_then_hourly
    tests/unit/jobs/test_retry.py::test_every_cause_comes_to_an_end
R165 A failed job keeps its attempts, its last error and its next time.
    tests/unit/jobs/test_worker.py::test_what_cannot_succeed_is_buried_with_its_last_error
    tests/contract/test_jobs.py::test_a_buried_job_is_listed_and_can_be_revived
R166 Clear works on a broken store, and its generation only rises.
    tests/store/test_degraded.py::test_starting_over_works_where_nothing_can_be_read
R167 A file is a store only if its identity, version and whole catalogue are right.
    tests/store/test_degraded.py::test_what_is_not_a_sound_store_is_told_and_left_untouched
    tests/store/test_opening.py::test_the_digest_written_down_is_that_of_the_migrations
R168 A file that fails verification is left byte for byte as it is.
    tests/store/test_degraded.py::test_an_altered_store_with_words_in_its_log_keeps_file_and_log
R169 A degraded store can still be looked at, exported and cleared.
    tests/store/test_degraded.py::test_what_can_be_read_of_a_degraded_store_is_shown_and_nothing_written
    tests/store/test_degraded.py::test_an_export_of_a_degraded_store_holds_the_rest_and_names_what_is_gone
    tests/flow/test_cli_errors.py::test_a_damaged_store_stops_reading_but_not_looking
R170 A damaged store is never shown as an empty one.
    tests/store/test_degraded.py::test_what_cannot_be_read_is_an_error_and_never_an_empty_answer
    tests/flow/test_cli_errors.py::test_a_damaged_store_stops_reading_but_not_looking
R171 A start recovers what was abandoned and touches nothing else.
    tests/contract/test_turns.py::test_only_a_turn_whose_lease_ran_out_is_interrupted
    tests/unit/record/test_recording.py::test_only_abandoned_turns_are_recovered_and_then_read
R172 On exit each waiting job gets one try, within a minute in all.
    tests/unit/jobs/test_worker.py::test_the_drain_gives_each_waiting_job_and_its_children_one_try
    tests/unit/jobs/test_worker.py::test_the_drain_ends_when_its_time_is_over
    tests/flow/test_model_cases.py::test_at_the_exit_each_job_gets_one_try_and_calls_end_with_the_minute
    tests/flow/test_model_silence.py::test_a_memory_that_is_closed_asks_once_about_each_conversation_within_a_minute
    tests/flow/test_model_silence.py::test_a_memory_whose_model_fails_at_its_end_warns_and_is_closed
R174 A model that is down, slow or wrong costs nothing but its proposals.
    tests/flow/test_model_memory.py::test_a_model_that_is_down_costs_nothing_but_its_proposals
    tests/flow/test_model_memory.py::test_a_model_that_comes_back_is_asked_about_what_waited
    tests/flow/test_model_silence.py::test_a_server_that_hangs_is_not_asked_job_after_job
    tests/flow/test_model_silence.py::test_a_server_that_is_down_is_asked_by_two_threads_and_by_one_at_a_time_from_then_on
R175 Labelled dialogues and questions in Chinese and English have floors that no change may fall below.
    tests/process/test_quality.py::test_what_lasts_is_proposed_and_hardly_anything_else
    tests/process/test_quality.py::test_questions_find_their_answers_and_others_nothing
R176 Nothing illegal is remembered, nothing leaks, nothing forgotten returns, and everything has evidence.
    tests/flow/test_invariants.py::test_every_item_of_many_conversations_has_the_exact_words_that_prove_it
    tests/flow/test_invariants.py::test_injected_text_that_comes_back_grounds_nothing
    tests/flow/test_hostile_worker.py::test_a_hostile_model_never_gets_anything_illegal_done
R179 Items and runs are also JSON files at fixed places, an item with its scope, kind, source, confidence, tags and status.
    tests/flow/test_library.py::test_a_run_of_a_host_is_kept_apart_from_other_runs
    tests/flow/test_library.py::test_a_run_loads_what_matters_and_not_everything
R180 Every sentence of a summary is proved, and what has nothing to do with a question is not told.
    tests/unit/episodes/test_summaries.py::test_every_sentence_of_a_summary_stands_in_the_message
    tests/unit/episodes/test_summaries.py::test_ordinary_change_has_no_invented_decision_or_problem
    tests/flow/test_story.py::test_nothing_shared_is_an_honest_nothing
"""

PROMISES = tuple(read(_WRITTEN))
