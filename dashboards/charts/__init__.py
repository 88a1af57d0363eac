"""Figure builders; they never import streamlit."""
